package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// files calls look for every file of the repository whose name ends so.
func files(t *testing.T, end string, look func(path string, text []byte)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, end):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		look(strings.TrimPrefix(path, root+"/"), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSizes keeps files and functions so short that they are read.
func TestSizes(t *testing.T) {
	files(t, ".go", func(path string, text []byte) {
		most := 300
		if strings.HasSuffix(path, "_test.go") {
			most = 400
		}
		if n := strings.Count(string(text), "\n"); n > most {
			t.Errorf("%s: want at most %d lines, have %d", path, most, n)
		}
		set := token.NewFileSet()
		for _, d := range parse(t, set, path, text).Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; n > 70 {
				t.Errorf("%s: %s: want at most 70 lines, have %d", path, f.Name.Name, n)
			}
		}
	})
}

func parse(t *testing.T, set *token.FileSet, path string, text []byte) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(set, path, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestNames refuses files that are named for nothing in particular.
func TestNames(t *testing.T) {
	vague := []string{"util", "utils", "common", "helper", "helpers", "types", "manager", "misc"}
	files(t, ".go", func(path string, _ []byte) {
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".go"), "_test")
		if slices.Contains(vague, name) {
			t.Errorf("%s: want a file named for the noun that it defines", path)
		}
	})
}

// TestDocumented says that everything that other packages see is explained, and every package.
func TestDocumented(t *testing.T) {
	packages := map[string]bool{}
	files(t, ".go", func(path string, text []byte) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		f := parse(t, token.NewFileSet(), path, text)
		packages[filepath.Dir(path)] = packages[filepath.Dir(path)] || f.Doc != nil
		if f.Name.Name == "main" {
			return
		}
		for _, d := range f.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s: want a comment", path, name)
			}
		}
	})
	for dir, ok := range packages {
		if !ok {
			t.Errorf("%s: want a comment on the package", dir)
		}
	}
}

// undocumented is the exported names of a declaration that have no comment.
func undocumented(d ast.Decl) []string {
	var names []string
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}

// receiver is the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

var link = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)\s]*)?\)`)

// TestLinks says that pages link to what is there.
func TestLinks(t *testing.T) {
	files(t, ".md", func(path string, text []byte) {
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			target := m[1]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(path), target)); err != nil {
				t.Errorf("%s links to %s, which is not there", path, target)
			}
		}
	})
}
