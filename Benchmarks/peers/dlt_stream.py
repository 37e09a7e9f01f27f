"""Writes every record of a list to JSON lines files, with dlt's own REST client and pipeline.

    dlt_stream.py URL PATH FOLDER
"""

import sys

import dlt
from dlt.sources.helpers.rest_client import RESTClient
from dlt.sources.helpers.rest_client.paginators import OffsetPaginator

url, path, folder = sys.argv[1:]


@dlt.resource(name="orders", max_table_nesting=0)
def orders():
    client = RESTClient(base_url=url, data_selector="elements")
    paginator = OffsetPaginator(limit=1000, total_path=None, stop_after_empty_page=True)
    yield from client.paginate(path, params={"expand": "lineItems"}, paginator=paginator)


pipeline = dlt.pipeline(
    pipeline_name="bench", pipelines_dir=folder, dataset_name="bench",
    destination=dlt.destinations.filesystem(bucket_url=f"file://{folder}/out"))
pipeline.run(orders(), loader_file_format="jsonl")
