package sim

import (
	"fmt"
	"math"
	"math/bits"
)

// Flow is a transfer of bytes from one link to another, the sender's and the receiver's end of the wire.
type Flow struct {
	Kind     string
	Owner    int64
	From, To LinkID // both the same for a medium that is shared as a whole
	Bytes    int64
	Messages int64 // pieces that the bytes are sent in; each costs its link at least PerMessage
	// Ceiling is the highest rate, in bytes a second, that flows of this kind get out of one link, below the link's
	// own rate where the way of sending is less efficient. 0: the link's rate.
	Ceiling int64
	// Limit is the highest rate, in bytes a second, at which this one flow's sender feeds it. 0: none.
	Limit   int64
	Latency Duration // from the last byte's leaving to its being there
	Then    Call     // called when the last byte is there
}

// check panics on what no transfer can be.
func (fl *Flow) check() {
	if fl.Bytes|fl.Messages|fl.Ceiling|fl.Limit|int64(fl.Latency) < 0 {
		panic(fmt.Sprintf("sim: Fabric.Send: negative figure in Flow %+v", *fl))
	}
}

// ends are the links that a flow crosses.
func (fl *Flow) ends() [2]LinkID { return [2]LinkID{fl.From, fl.To} }

// flow is a transfer in progress. It takes its share of a link in charged bytes: the bytes that the slower of its links
// could have carried at its own rate meanwhile. Both links are charged alike, which is exact where they are alike; a
// faster end has room for more messages than its own PerMessage would let through.
//
// Progress is exact: what a rate of bytes a second gives in nanoseconds is kept in whole bytes and a remainder of
// billionths.
type flow struct {
	Flow
	charge  int64 // charged bytes in all; endless when more than can be counted
	left    int64 // charged bytes to go
	carry   uint64
	limit   int64 // charged bytes a second
	rate    int64 // charged bytes a second
	settled Time  // when left was last brought up to date
	ready   Time
	cause   SpanID
	round   uint64 // the round of sharing that met this flow last
	fixed   bool   // its rate is settled in the present round of sharing
}

// endless is the charge of a flow that takes more than can be counted, days even on a link of a terabyte a second. It
// never ends, rather than too early.
const endless = math.MaxInt64

// charge returns what a flow takes of its slower link, in bytes that the link could carry at its own rate, and the
// flow's limit in the same measure. On a dead link the bytes alone stand for it.
func (f *Fabric) charge(fl *Flow) (charged, limit int64) {
	from, to := &f.links[fl.From], &f.links[fl.To]
	rate := min(from.rate, to.rate)
	charged = fl.Bytes
	if fl.Ceiling > 0 && fl.Ceiling < rate {
		charged = mulDivCeil(charged, rate, fl.Ceiling)
	}
	if per := max(from.perMessage, to.perMessage); per > 0 && fl.Messages > 0 {
		charged = max(charged, mulDivCeil(mulDivCeil(fl.Messages, int64(per), 1), rate, int64(Second)))
	}
	if fl.Limit > 0 {
		limit = max(1, mulDivCeil(fl.Limit, charged, max(1, fl.Bytes)))
	}
	return charged, limit
}

// recharge measures what is left of a flow by its links' present rates. Its own rate has to be settled anew.
func (f *Fabric) recharge(i int32) {
	fw := &f.flows[i]
	fw.settle(f.sim.now)
	fw.rate, f.finish[i] = 0, Never
	if f.links[fw.From].rate == 0 || f.links[fw.To].rate == 0 {
		return // it stands still, and the last measure is kept for what it had carried by then
	}
	charge, limit := f.charge(&fw.Flow)
	switch {
	case charge == fw.charge:
		return
	case fw.left == fw.charge || charge == endless || fw.charge == endless:
		fw.left = charge
	default:
		fw.left = mulDivCeil(fw.left, charge, fw.charge)
	}
	fw.charge, fw.limit, fw.carry = charge, limit, 0
}

// settle brings a flow's remaining bytes up to now.
func (fw *flow) settle(now Time) {
	dt := uint64(now - fw.settled)
	fw.settled = now
	if dt == 0 || fw.rate == 0 || fw.charge == endless {
		return
	}
	// It has at most left bytes to carry until it finishes, so the quotient fits.
	hi, lo := bits.Mul64(uint64(fw.rate), dt)
	lo, c := bits.Add64(lo, fw.carry, 0)
	done, carry := bits.Div64(hi+c, lo, uint64(Second))
	fw.left -= int64(done)
	fw.carry = carry
}

// finishAt is the first nanosecond by which a flow settled now has no bytes left at its rate.
func (fw *flow) finishAt(now Time) Time {
	if fw.rate == 0 || fw.charge == endless {
		return Never
	}
	if fw.left <= 0 {
		return now
	}
	hi, lo := bits.Mul64(uint64(fw.left), uint64(Second))
	lo, b := bits.Sub64(lo, fw.carry, 0)
	hi -= b
	lo, c := bits.Add64(lo, uint64(fw.rate-1), 0)
	hi += c
	if hi >= uint64(fw.rate) {
		return Never
	}
	q, _ := bits.Div64(hi, lo, uint64(fw.rate))
	if q >= uint64(Never-now) {
		return Never
	}
	return now.Add(Duration(q))
}

// mulDivCeil is a*b/c rounded up, through 128 bits, or endless if that is more than can be counted.
func mulDivCeil(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(lo, uint64(c-1), 0)
	hi += carry
	if hi >= uint64(c) {
		return endless
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, endless))
}
