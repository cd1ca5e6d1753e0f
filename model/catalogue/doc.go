// Package catalogue holds what hardware and software can do and what things cost: GPUs, the machines they are in, the
// fabrics between those, the backends of the transfer library, and the serving software. Each kind is a TOML file beside
// this text.
//
// Every value is a [Sourced] one: it carries its unit, where it comes from, whether the source states it or it was
// inferred, and, if it is uncertain, the lowest and the highest value that would not surprise. [Facts] lists the values
// of an entry with all that. Where a value was taken from measured data by which pdsim is also judged, its source says
// which part of the data that was; the rest is what judges. Names are looked up with [Catalogue.GPU] and its siblings.
//
// An entry may be like another one of its kind and only say what differs, as releases of software do.
package catalogue
