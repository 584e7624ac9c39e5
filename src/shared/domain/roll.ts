/** Those who are there now, in no order, for such as come and go thousands of times a second. */
export type Roll<T> = {
  readonly size: () => number
  /** Gives how to take it off again; repeatable. */
  readonly add: (one: T) => () => void
  /** Those who are there, whoever comes or goes meanwhile. */
  readonly all: () => readonly T[]
}

type Place<T> = { readonly one: T; at: number }

/**
 * A `Set` that is full of holes is laid out anew, and its former table keeps what was in it and leads to the next one: once one of
 * them has grown old, garbage collection takes all after it, and half of all that ever was in them, for living until it looks at
 * everything. The last one here takes the place of the one who goes, and nothing else remembers either.
 */
export function createRoll<T>(): Roll<T> {
  const places: Place<T>[] = []
  return {
    size: () => places.length,
    add(one) {
      const place: Place<T> = { one, at: places.length }
      places.push(place)
      return () => {
        if (places[place.at] !== place) return
        const last = places.pop()
        if (last === undefined || last === place) return
        places[place.at] = last
        last.at = place.at
      }
    },
    all: () => places.map(({ one }) => one),
  }
}
