package web

import (
	"net"
	"sync"
)

// limited is a listener with a bounded number of open connections. Further ones wait in the system's queue.
type limited struct {
	net.Listener
	open chan struct{}
	shut chan struct{}
	once sync.Once
}

func limit(l net.Listener, most int) net.Listener {
	return &limited{Listener: l, open: make(chan struct{}, most), shut: make(chan struct{})}
}

// Accept waits for a connection, and before that for room.
func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.open <- struct{}{}:
	case <-l.shut:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.open
		return nil, err
	}
	return &counted{Conn: c, from: l}, nil
}

// Close ends waiting Accepts.
func (l *limited) Close() error {
	l.once.Do(func() { close(l.shut) })
	return l.Listener.Close()
}

// counted is a connection that makes room when it is closed.
type counted struct {
	net.Conn
	from *limited
	once sync.Once
}

// Close closes the connection.
func (c *counted) Close() error {
	c.once.Do(func() { <-c.from.open })
	return c.Conn.Close()
}
