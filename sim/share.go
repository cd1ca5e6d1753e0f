package sim

// nextRound begins a round of sharing, in which each link is met at most once.
func (f *Fabric) nextRound() { f.round++ }

// share gives the flows that are connected with a link, directly or through others, their max-min fair rates, by
// progressive filling: the link whose flows would get least is filled first, and a flow that its own limit holds below
// that first of all.
func (f *Fabric) share(id LinkID) {
	f.collect(id)
	for todo := len(f.partFlows); todo > 0; {
		todo -= f.fill()
	}
	if f.sim.rec != nil {
		f.count()
	}
}

// count keeps how much of the links shared last is in use.
func (f *Fabric) count() {
	for _, id := range f.partLinks {
		lk := &f.links[id]
		if used := lk.rate - lk.left; used != lk.used {
			lk.used = used
			f.sim.Count(lk.use, used)
		}
	}
}

// collect finds the links and flows that are connected with a link, and makes them ready for new rates.
func (f *Fabric) collect(id LinkID) {
	f.partLinks, f.partFlows = f.partLinks[:0], f.partFlows[:0]
	f.meet(id)
	for k := 0; k < len(f.partLinks); k++ {
		for _, i := range f.links[f.partLinks[k]].flows {
			fw := &f.flows[i]
			if fw.round == f.round {
				continue // met at its other link
			}
			fw.round, fw.fixed = f.round, false
			f.partFlows = append(f.partFlows, i)
			f.meet(fw.From)
			f.meet(fw.To)
		}
	}
}

func (f *Fabric) meet(id LinkID) {
	lk := &f.links[id]
	if lk.round != f.round {
		lk.round, lk.left, lk.open = f.round, lk.rate, int64(len(lk.flows))
		f.partLinks = append(f.partLinks, id)
	}
}

// fill settles the rates of the flows that the present round holds lowest and returns their number.
func (f *Fabric) fill() int {
	least := int64(1<<63 - 1)
	for _, l := range f.partLinks {
		if lk := &f.links[l]; lk.open > 0 {
			least = min(least, lk.left/lk.open)
		}
	}
	// Senders whose own limits hold them below that leave more for the others, so the limits bind together, and first.
	n := 0
	for _, i := range f.partFlows {
		if fw := &f.flows[i]; !fw.fixed && fw.limit > 0 && fw.limit < least {
			f.fix(i, fw.limit)
			n++
		}
	}
	if n > 0 {
		return n
	}
	for _, l := range f.partLinks {
		lk := &f.links[l]
		if lk.open == 0 || lk.left/lk.open != least {
			continue
		}
		for _, i := range lk.flows {
			if !f.flows[i].fixed {
				f.fix(i, least)
				n++
			}
		}
	}
	return n
}

// fix gives a flow its rate and takes it from its links. A rate that stays leaves the finish where it was.
func (f *Fabric) fix(i int32, rate int64) {
	fw := &f.flows[i]
	fw.fixed = true
	if rate != fw.rate {
		fw.settle(f.sim.now)
		fw.rate = rate
		f.finish[i] = fw.finishAt(f.sim.now)
	}
	lk := &f.links[fw.From]
	lk.left, lk.open = lk.left-rate, lk.open-1
	if fw.To != fw.From {
		lk = &f.links[fw.To]
		lk.left, lk.open = lk.left-rate, lk.open-1
	}
}
