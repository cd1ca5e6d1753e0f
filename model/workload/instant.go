package workload

import (
	"fmt"
	"strings"
)

// parseInstant reads a date and time such as "2023-11-16 18:17:03.9799600" or "2024-05-10 00:00:00.009930+00:00" as
// nanoseconds since 1970. The fraction may have up to nine digits; the offset may be missing, which means UTC.
func parseInstant(text string) (int64, error) {
	s := scanner{rest: text}
	year := s.digits(4, 4)
	s.one("-")
	month := s.digits(2, 2)
	s.one("-")
	day := s.digits(2, 2)
	s.one(" T")
	hour := s.digits(2, 2)
	s.one(":")
	minute := s.digits(2, 2)
	s.one(":")
	second := s.digits(2, 2)
	nanos := int64(0)
	if s.peek(".") {
		s.one(".")
		before := len(s.rest)
		nanos = s.digits(1, 9)
		for range 9 - (before - len(s.rest)) {
			nanos *= 10
		}
	}
	offset := s.offset()
	if s.bad || s.rest != "" || year < 1970 || year > 2200 || month < 1 || month > 12 || day < 1 ||
		day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, fmt.Errorf("want a time like 2023-11-16 18:17:03.9799600, have %q", text)
	}
	seconds := ((daysBefore(year, month)+day-1)*24+hour)*3600 + minute*60 + second - offset
	return seconds*1e9 + nanos, nil
}

// scanner takes a text apart from its start. It goes bad at the first surprise and stays so.
type scanner struct {
	rest string
	bad  bool
}

// digits takes a number of least to most digits.
func (s *scanner) digits(least, most int) int64 {
	n, value := 0, int64(0)
	for n < most && n < len(s.rest) && s.rest[n] >= '0' && s.rest[n] <= '9' {
		value = value*10 + int64(s.rest[n]-'0')
		n++
	}
	s.bad = s.bad || n < least
	s.rest = s.rest[n:]
	return value
}

// peek says whether one of the given characters is next.
func (s *scanner) peek(of string) bool {
	return s.rest != "" && strings.IndexByte(of, s.rest[0]) >= 0
}

// one takes one of the given characters and returns it.
func (s *scanner) one(of string) byte {
	if !s.peek(of) {
		s.bad = true
		return 0
	}
	c := s.rest[0]
	s.rest = s.rest[1:]
	return c
}

// offset takes "Z", "+hh:mm" or nothing, and returns it in seconds east of UTC.
func (s *scanner) offset() int64 {
	if s.rest == "" {
		return 0
	}
	sign := int64(1)
	switch s.one("Z+-") {
	case 'Z':
		return 0
	case '-':
		sign = -1
	}
	hours := s.digits(2, 2)
	s.one(":")
	return sign * (hours*60 + s.digits(2, 2)) * 60
}

// daysBefore returns the days from 1970 to the first of a month.
func daysBefore(year, month int64) int64 {
	y := year - 1
	days := y*365 + y/4 - y/100 + y/400 - 719162 // the last is 1970-01-01 by the same count
	for m := int64(1); m < month; m++ {
		days += daysIn(year, m)
	}
	return days
}

// daysIn returns the length of a month in days.
func daysIn(year, month int64) int64 {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}
