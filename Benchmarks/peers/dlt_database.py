"""Writes every record of a list to a database with dlt's own REST client and pipeline: a table for orders, and one for line
items, which dlt makes by itself.

    dlt_database.py URL PATH FOLDER sqlite | SOCKET-FOLDER
"""

import os
import sys

url, path, folder, server = sys.argv[1:]
# All processors, and files of a size that lets them share the work.
for name, value in {
    "NORMALIZE__WORKERS": str(os.cpu_count()), "LOAD__WORKERS": str(os.cpu_count()), "NORMALIZE__START_METHOD": "spawn",
    "EXTRACT__DATA_WRITER__FILE_MAX_ITEMS": "25000", "NORMALIZE__DATA_WRITER__FILE_MAX_ITEMS": "100000",
}.items():
    os.environ.setdefault(name, value)

import dlt  # noqa: E402
from dlt.sources.helpers.rest_client import RESTClient  # noqa: E402
from dlt.sources.helpers.rest_client.paginators import OffsetPaginator  # noqa: E402


@dlt.resource(name="orders", primary_key="id", write_disposition="replace")
def orders():
    client = RESTClient(base_url=url, data_selector="elements")
    paginator = OffsetPaginator(limit=1000, total_path=None, stop_after_empty_page=True)
    yield from client.paginate(path, params={"expand": "lineItems"}, paginator=paginator)


def main():
    if server == "sqlite":
        destination, form = dlt.destinations.sqlalchemy(f"sqlite:///{folder}/shop.db"), "typed-jsonl"
    else:
        # CSV is loaded with COPY.
        destination, form = dlt.destinations.postgres(f"postgresql://bench:none@localhost/bench?host={server}"), "csv"
    pipeline = dlt.pipeline(pipeline_name="bench", pipelines_dir=folder, dataset_name="bench", destination=destination)
    pipeline.run(orders(), loader_file_format=form)


if __name__ == "__main__":
    main()
