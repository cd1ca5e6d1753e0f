package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"pdsim/cmd/pdsim/web"
)

func newServe() *cobra.Command {
	var addr, dir string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Open a page to see where time goes and to ask what if",
		Long: "Serve answers on an address of this machine with a page that plays scenarios: controls for what matters, the way to the\n" +
			"first token of each protocol, the timeline of threads and rails, and curves over load. It ends on an interrupt.",
		Example: "  pdsim serve\n  pdsim serve --addr 127.0.0.1:0\n  pdsim serve --export site",
		Args:    wanting(0, 0, "no arguments"),
		RunE: verb(func(cmd *cobra.Command, _ []string) error {
			if dir != "" {
				return export(cmd, dir)
			}
			return serve(cmd, addr)
		}),
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "address to answer on; port 0 takes a free one")
	cmd.Flags().StringVar(&dir, "export", "", "new or empty folder for a static site with the lesson and a grid of settings, for any file server")
	return cmd
}

func serve(cmd *cobra.Command, addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return misuse("--addr %s: want host:port, such as 127.0.0.1:8080", addr)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return misuse("--addr %s: %s", addr, err)
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	fmt.Fprintf(cmd.ErrOrStderr(), "pdsim answers at http://%s until interrupted\n", listener.Addr())
	return web.Serve(ctx, listener, web.New(webOptions(host)))
}

// export writes a static site.
func export(cmd *cobra.Command, dir string) error {
	entries, err := os.ReadDir(dir)
	if len(entries) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return misuse("--export %s: want a new or empty folder", dir)
	}
	if info, err := os.Stat(filepath.Dir(filepath.Clean(dir))); err != nil || !info.IsDir() {
		return misuse("--export %s: no folder to put it in", dir)
	}
	end := func() {}
	defer func() { end() }()
	return web.Export(dir, webOptions(""), func(states int) (step func()) {
		step, end = progress(cmd.ErrOrStderr(), states, "states")
		return step
	})
}

// webOptions is what the page shows of the command: its version and the table of figures.
func webOptions(host string) web.Options {
	opt := web.Options{Version: version(), Host: host}
	for i := range figures {
		opt.Figures = append(opt.Figures, web.Figure{Name: figures[i].name, Unit: figures[i].unit, Text: figures[i].text})
	}
	return opt
}
