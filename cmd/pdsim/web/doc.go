// Package web is the page of `pdsim serve`, and the server behind it.
//
// The page is plain HTML, CSS and JavaScript in the folder page, embedded in the command; nothing is fetched from
// elsewhere. It asks for runs as JSON, and the server plays them with packages scenarios and explain, as the command line
// does: the numbers are the same ones.
//
//	POST /api/run       results and paths of a scenario under some protocols
//	POST /api/timeline  what every thread and rail did in a window of a run
//	POST /api/sweep     results over several values of a key
//	GET  /api/about     the scenarios, protocols and figures that there are
//
// Whoever can reach the address may ask, and a page of another site may try to: see [New] for what is refused.
package web
