import { smallFileBytes, type UploadJob } from './upload-job.ts'

export type UploadLane = 'folders' | 'small' | 'large'

export type UploadLanes = {
  readonly add: (job: UploadJob) => void
  /**
   * Returns the next job to start, which occupies a slot until `finish` is called. Returns null while no job is waiting
   * or all slots are occupied.
   */
  readonly next: () => { readonly id: number; readonly lane: UploadLane } | null
  readonly finish: (lane: UploadLane) => void
}

const laneOf = (job: UploadJob): UploadLane => {
  if (job.file === null) return 'folders'
  return job.sizeBytes < smallFileBytes ? 'small' : 'large'
}

/**
 * Creates the lanes, which decide which job starts next. Folders come before files. Small files and large files wait in
 * separate lanes. While both lanes have waiting files, neither lane may occupy all slots, so that large files never
 * block small files and small files never block large files.
 */
export function createUploadLanes(atOnce: number): UploadLanes {
  const waiting = { folders: createFifo(), small: createFifo(), large: createFifo() }
  const running = { folders: 0, small: 0, large: 0 }

  function choose(): UploadLane | null {
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
