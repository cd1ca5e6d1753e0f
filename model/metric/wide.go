package metric

import (
	"math/big"
	"math/bits"
)

// wide is an unsigned integer of 192 bits, lowest word first: room for the squares of 2^63 nanoseconds, 2^64 times.
type wide [3]uint64

// addProduct adds a*b.
func (w *wide) addProduct(a, b uint64) { w.addShifted(a, b, 0) }

// addSquare adds n times a squared.
func (w *wide) addSquare(a, n uint64) {
	hi, lo := bits.Mul64(a, a)
	w.addShifted(lo, n, 0)
	w.addShifted(hi, n, 1)
}

// addShifted adds a*b at the given word.
func (w *wide) addShifted(a, b uint64, word int) {
	hi, lo := bits.Mul64(a, b)
	var carry uint64
	w[word], carry = bits.Add64(w[word], lo, 0)
	w[word+1], carry = bits.Add64(w[word+1], hi, carry)
	if word == 0 {
		w[2] += carry
	}
}

// add adds o.
func (w *wide) add(o *wide) {
	var carry uint64
	w[0], carry = bits.Add64(w[0], o[0], 0)
	w[1], carry = bits.Add64(w[1], o[1], carry)
	w[2] += o[2] + carry
}

// big returns the integer for arithmetic that need not be fast.
func (w *wide) big() *big.Int {
	n := new(big.Int)
	for i := len(w) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(w[i]))
	}
	return n
}
