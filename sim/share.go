package sim

// share gives the flows that are connected with two links their max-min fair rates, by progressive filling: the link
// whose flows would get least is filled first, and a flow that its own limit holds below that first of all.
func (f *Fabric) share(a, b LinkID) {
	now := f.sim.now
	f.collect(a, b)
	for _, i := range f.partFlows {
		f.flows[i].settle(now)
		f.flows[i].fixed = false
	}
	for _, l := range f.partLinks {
		lk := &f.links[l]
		lk.left, lk.open, lk.marked = lk.rate, len(lk.flows), false
	}
	for todo := len(f.partFlows); todo > 0; {
		todo -= f.fill()
	}
	for _, i := range f.partFlows {
		fw := &f.flows[i]
		fw.finish = fw.finishAt(now)
	}
	f.arm()
}

// collect finds the links and flows that are connected with two links.
func (f *Fabric) collect(a, b LinkID) {
	f.partLinks = append(f.partLinks[:0], a)
	f.links[a].marked = true
	if b != a {
		f.partLinks = append(f.partLinks, b)
		f.links[b].marked = true
	}
	f.partFlows = f.partFlows[:0]
	for k := 0; k < len(f.partLinks); k++ {
		id := f.partLinks[k]
		for _, i := range f.links[id].flows {
			fw := &f.flows[i]
			other := fw.From
			if other == id {
				other = fw.To
			}
			// A flow is met at both its links and kept at the first.
			if other != id && f.links[other].marked && f.seen(other, k) {
				continue
			}
			f.partFlows = append(f.partFlows, i)
			if !f.links[other].marked {
				f.links[other].marked = true
				f.partLinks = append(f.partLinks, other)
			}
		}
	}
}

// seen says whether a link stands before position k in the list of collected links.
func (f *Fabric) seen(id LinkID, k int) bool {
	for _, l := range f.partLinks[:k] {
		if l == id {
			return true
		}
	}
	return false
}

// fill settles the rates of the flows that the present round holds lowest and returns their number.
func (f *Fabric) fill() int {
	least := int64(1<<63 - 1)
	for _, l := range f.partLinks {
		if lk := &f.links[l]; lk.open > 0 {
			least = min(least, lk.left/int64(lk.open))
		}
	}
	lowest := least
	for _, i := range f.partFlows {
		if fw := &f.flows[i]; !fw.fixed && fw.limit > 0 {
			lowest = min(lowest, fw.limit)
		}
	}
	n := 0
	if lowest < least { // a sender's own limit binds first
		for _, i := range f.partFlows {
			if fw := &f.flows[i]; !fw.fixed && fw.limit == lowest {
				f.fix(fw, lowest)
				n++
			}
		}
		return n
	}
	for _, l := range f.partLinks {
		lk := &f.links[l]
		if lk.open == 0 || lk.left/int64(lk.open) != least {
			continue
		}
		for _, i := range lk.flows {
			if fw := &f.flows[i]; !fw.fixed {
				f.fix(fw, least)
				n++
			}
		}
	}
	return n
}

func (f *Fabric) fix(fw *flow, rate int64) {
	fw.rate, fw.fixed = rate, true
	lk := &f.links[fw.From]
	lk.left, lk.open = lk.left-rate, lk.open-1
	if fw.To != fw.From {
		lk = &f.links[fw.To]
		lk.left, lk.open = lk.left-rate, lk.open-1
	}
}
