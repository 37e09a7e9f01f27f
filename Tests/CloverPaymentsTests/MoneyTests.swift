import CloverPayments
import Testing
