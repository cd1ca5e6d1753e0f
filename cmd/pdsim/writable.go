package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// checkWritable says at once, and not after all the work, that a file cannot be written: for want of its folder, or of the
// right to make files there.
func checkWritable(option, name string) error {
	if name == "" {
		return nil
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return misuse("%s %s: want a file, have a folder", option, name)
	case err == nil && !info.Mode().IsRegular():
		return nil // it is written in place
	}
	return checkFolder(option, name, filepath.Dir(realName(name)))
}

// checkFolder says whether files can be made in a folder, by making one: rights have too many sides to look at.
func checkFolder(option, name, dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return misuse("%s %s: no such folder", option, name)
	}
	f, err := os.CreateTemp(dir, ".pdsim-*")
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err // without a name that nobody has heard of
		}
		return misuse("%s %s: want a folder that takes new files: %s", option, name, err)
	}
	f.Close()
	os.Remove(f.Name())
	return nil
}

// realName is the absolute name of a file, which need not be there, without symbolic links.
func realName(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		return filepath.Join(dir, filepath.Base(name))
	}
	return name
}

// output is a file, or a folder, that a command writes, and the option that asks for it.
type output struct{ option, name string }

// checkDistinct refuses outputs of one name, of which only the last would be left.
func checkDistinct(outputs []output) error {
	taken := map[string]output{}
	for _, o := range outputs {
		if o.name == "" {
			continue
		}
		if info, err := os.Stat(o.name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			continue // such as /dev/null, which takes all that comes
		}
		real := realName(o.name)
		if other, ok := taken[real]; ok {
			return misuse("%s and %s would both write %s: want different files", other.option, o.option, o.name)
		}
		taken[real] = o
	}
	return nil
}
