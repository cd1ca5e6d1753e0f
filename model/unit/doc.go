// Package unit holds quantities that are written with their unit wherever a person writes or reads them: in scenarios,
// in the catalogue of hardware, in --set and in tables. A number without a unit is a mistake, except 0 and, for a
// [Frequency], any number.
//
//	[Duration]   whole nanoseconds           "2.4us", "1.5ms", "30s", "2min"
//	[Picos]      whole picoseconds           "390ns", "0.02us", "40ps"
//	[Bytes]      whole bytes                 "16KiB", "1GB", "128B"
//	[Rate]       whole bytes a second        "200Gb/s" (bits, decimal), "22.5GB/s", "1GiB/s"
//	[Flops]      whole operations a second   "989.5TFLOP/s"
//	[Frequency]  requests a second           "8/s", "0.25/s", "inf"
//
// Nothing is rounded: a text that is not a whole number of the base unit is an error, and what String writes is read
// back as the same value. All quantities are 0 or more.
package unit
