package catalogue

import (
	"fmt"
	"reflect"

	"github.com/BurntSushi/toml"
)

// kinds are the catalogue's files, one for each kind of entry.
var kinds = []string{"gpus.toml", "instances.toml", "fabrics.toml", "backends.toml", "software.toml"}

// parse reads the texts of the files, fills in what entries take from others, and checks everything.
func parse(texts map[string]string) (*Catalogue, error) {
	c := &Catalogue{}
	for i, into := range []any{&c.GPUs, &c.Instances, &c.Fabrics, &c.Backends, &c.Software} {
		meta, err := toml.Decode(texts[kinds[i]], into)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kinds[i], err)
		}
		if unknown := meta.Undecoded(); len(unknown) > 0 {
			return nil, fmt.Errorf("%s: unknown key %q", kinds[i], unknown[0])
		}
	}
	for i, err := range []error{
		complete(c.GPUs), complete(c.Instances), complete(c.Fabrics), complete(c.Backends), complete(c.Software),
	} {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kinds[i], err)
		}
	}
	return c, c.checkWords()
}

// complete fills in what entries take from others and checks that each then has all its values.
func complete[T any](entries map[string]*T) error {
	for _, key := range Names(entries) {
		e := reflect.ValueOf(entries[key]).Elem()
		if like := e.FieldByName("Like").String(); like != "" {
			from, err := find("entry", entries, like)
			if err != nil {
				return fmt.Errorf("%s.like: %w", key, err)
			}
			f := reflect.ValueOf(from).Elem()
			if f.FieldByName("Like").String() != "" {
				return fmt.Errorf("%s.like: want an entry that is like no other, have %q", key, like)
			}
			inherit(e, f)
		}
		for field, value := range sourced(entries[key]) {
			if err := value.check(); err != nil {
				return fmt.Errorf("%s.%s: %w", key, field, err)
			}
		}
	}
	return nil
}

// inherit copies to an entry what it lacks of another, except what that is called and what is said about it.
func inherit(to, from reflect.Value) {
	for i := range to.NumField() {
		switch to.Type().Field(i).Name {
		case "Name", "About", "Like", "Shared":
			continue
		}
		if to.Field(i).IsZero() {
			to.Field(i).Set(from.Field(i))
		}
	}
}

// checkWords returns an error unless the entries that others name are there and notifications travel in a known way.
func (c *Catalogue) checkWords() error {
	for _, key := range Names(c.Instances) {
		if _, err := c.GPU(c.Instances[key].GPU); err != nil {
			return fmt.Errorf("instances.toml: %s.gpu: %w", key, err)
		}
		if _, err := c.Fabric(c.Instances[key].Fabric); err != nil {
			return fmt.Errorf("instances.toml: %s.fabric: %w", key, err)
		}
	}
	for _, key := range Names(c.Backends) {
		if way := c.Backends[key].NotifyWrite; way != NotifyPoll && way != NotifyData {
			return fmt.Errorf("backends.toml: %s.notify_write: want %q or %q, have %q", key, NotifyPoll, NotifyData, way)
		}
	}
	return nil
}
