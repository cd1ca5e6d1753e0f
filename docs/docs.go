// Package docs holds the documentation that the command can print.
package docs

import "embed"

// Protocols is the pages in protocols/, one a protocol, named after it.
//
//go:embed protocols/*.md
var Protocols embed.FS
