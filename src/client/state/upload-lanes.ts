import { smallFileBytes, type UploadJob } from './upload-job.ts'

export type Lane = 'folders' | 'small' | 'large'

export type UploadLanes = {
  readonly add: (job: UploadJob) => void
  /**
   * Returns the next job to start, which takes a slot until `finish`. Null while no job waits or every slot is taken.
   */
  readonly next: () => { readonly id: number; readonly lane: Lane } | null
  readonly finish: (lane: Lane) => void
}

const laneOf = (job: UploadJob): Lane => {
  if (job.file === null) return 'folders'
  return job.sizeBytes < smallFileBytes ? 'small' : 'large'
}

/**
 * Creates the lanes, which decide which job starts next. Folders come before files. Small and large files wait in lanes
 * of their own, and while both wait neither takes the last slot, so that one large file never holds up a thousand small
 * ones, nor they it.
 */
export function createUploadLanes(atOnce: number): UploadLanes {
  const waiting = { folders: createFifo(), small: createFifo(), large: createFifo() }
  const running = { folders: 0, small: 0, large: 0 }

  function choose(): Lane | null {
    if (running.folders + running.small + running.large >= atOnce) return null
    if (waiting.folders.peek() !== null) return 'folders'
    if (running.folders > 0) return null
    const [small, large] = [waiting.small.peek(), waiting.large.peek()]
    if (small === null || large === null) return small === null ? (large === null ? null : 'large') : 'small'
    if (running.large >= atOnce - 1) return 'small'
    if (running.small >= atOnce - 1) return 'large'
    return small < large ? 'small' : 'large'
  }

  return {
    add: (job) => waiting[laneOf(job)].push(job.id),
    next: () => {
      const lane = choose()
      const id = lane && waiting[lane].shift()
      if (lane === null || id === null) return null
      running[lane] += 1
      return { id, lane }
    },
    finish: (lane) => {
      running[lane] -= 1
    },
  }
}

/** Creates a first-in, first-out queue of job ids. Both ends are accessed in constant time. */
function createFifo() {
  let ids: number[] = []
  let at = 0
  const peek = (): number | null => ids[at] ?? null
  return {
    peek,
    push: (id: number): void => {
      ids.push(id)
    },
    shift: (): number | null => {
      const id = peek()
      at += 1
      if (at > 1024 && at * 2 > ids.length) {
        ids = ids.slice(at)
        at = 0
      }
      return id
    },
  }
}
