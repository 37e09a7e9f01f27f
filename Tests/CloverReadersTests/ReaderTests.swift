import CloverReaders
import Testing
