package cases

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"pdsim/validate/read"
)

// shipped are the cases that come with pdsim.
//
//go:embed */*.toml */*.csv */*.gz
var shipped embed.FS

// Builtin returns the cases that come with pdsim, by the names of their folders.
func Builtin() ([]*Case, error) { return under("cases", shipped, read.Options{}) }

// Dir returns the case in a folder, or those in the folders below it. The options hold for all its data.
func Dir(dir string, opt read.Options) ([]*Case, error) {
	folder := os.DirFS(dir)
	if _, err := fs.Stat(folder, File); err == nil {
		c, err := load(filepath.Clean(dir), folder, opt)
		if err != nil {
			return nil, err
		}
		return []*Case{c}, nil
	}
	list, err := under(filepath.Clean(dir), folder, opt)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: want %s in the folder or in folders below it, have none", dir, File)
	}
	return list, err
}

// under loads the cases in the folders of a file system.
func under(name string, all fs.FS, opt read.Options) ([]*Case, error) {
	entries, err := fs.ReadDir(all, ".")
	if err != nil {
		return nil, err
	}
	var list []*Case
	for _, e := range entries {
		if _, err := fs.Stat(all, path.Join(e.Name(), File)); !e.IsDir() || err != nil {
			continue
		}
		folder, err := fs.Sub(all, e.Name())
		if err != nil {
			return nil, err
		}
		c, err := load(path.Join(name, e.Name()), folder, opt)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}
