import type { ErrorCode } from '../../../../shared/domain/failure.ts'
import { createStore, type Store } from '../../../state/store.ts'
import type { DropDetails, FileToSend, SendResult, SendWatch } from './send-file.ts'

/**
 * A file on the page of an upload-only link. `chosen`: it waits until the guest sends it. `waiting`: others are sent
 * before it. `reconnecting`: the connection was lost, and it is sent again later.
 */
export type DroppedFile = {
  readonly id: string
  readonly file: File
  readonly state: 'chosen' | 'waiting' | 'sending' | 'reconnecting' | 'done' | 'failed'
  readonly sentBytes: number
  readonly fault: ErrorCode | null
}

/** A file, and its state on the page. */
type QueuedFile = Pick<FileToSend, 'file' | 'uploadId'> & DropDetails

export type DropQueueDependencies = {
  readonly send: (file: QueuedFile, watch: SendWatch) => Promise<SendResult>
  /** Waits before the next attempt, longer after each failure. */
  readonly untilReachable: (failures: number, signal: AbortSignal) => Promise<void>
  /** False when the file was changed or deleted on the device since it was chosen. */
  readonly isReadable: (file: File) => Promise<boolean>
  /** The size above which a file can never be accepted, in bytes. Infinity when there is no limit. */
  readonly maxFileBytes: number
  readonly newId: () => string
}

export type DropQueue = {
  readonly files: Pick<Store<readonly DroppedFile[]>, 'get' | 'subscribe'>
  readonly add: (files: readonly File[]) => void
  /** Sends all chosen files with these details. */
  readonly sendAll: (details: DropDetails) => void
  /** Removes a file from the list. A file that is being sent is aborted. */
  readonly remove: (id: string) => void
  readonly retry: (id: string) => void
}

/** The number of files that are sent at the same time. */
const lanes = 2

/** Creates the list of files that a guest chooses and sends. */
export function createDropQueue(dependencies: DropQueueDependencies): DropQueue {
  const files = createStore<readonly DroppedFile[]>([])
  const running = new Map<string, AbortController>()
  const detailsOf = new Map<string, DropDetails>()
  const fileOf = (id: string): DroppedFile | undefined => files.get().find((one) => one.id === id)
  const change = (id: string, changed: Partial<DroppedFile>): void =>
    files.set((now) => now.map((one) => (one.id === id ? { ...one, ...changed } : one)))

  /** Starts waiting files until all lanes are used. */
  function startNext(): void {
    for (const { id, state } of files.get())
      if (state === 'waiting' && running.size < lanes && !running.has(id)) void run(id)
  }

  async function run(id: string): Promise<void> {
    const controller = new AbortController()
    running.set(id, controller)
    try {
      const file = fileOf(id)?.file
      const details = detailsOf.get(id)
      if (file === undefined || details === undefined) return
      const sending = { file, uploadId: id, ...details }
      const result = await sendUntilSettled(dependencies, sending, {
        signal: controller.signal,
        onChange: (changed) => change(id, changed),
      })
      if (result === 'done') change(id, { state: 'done', sentBytes: file.size })
      else change(id, { state: 'failed', fault: result.fault })
    } catch {
      // The guest has removed the file.
    } finally {
      running.delete(id)
      startNext()
    }
  }

  return {
    files,
    add(added) {
      const chosen = added.map((file) => chosenFile(file, dependencies.newId()))
      files.set((now) => [...now, ...chosen])
    },
    sendAll(details) {
      for (const { id, state } of files.get()) {
        if (state !== 'chosen') continue
        detailsOf.set(id, details)
        change(id, { state: 'waiting' })
      }
      startNext()
    },
    remove(id) {
      files.set((now) => now.filter((one) => one.id !== id))
      running.get(id)?.abort(new DOMException('removed', 'AbortError'))
    },
    retry(id) {
      change(id, { state: 'waiting', fault: null, sentBytes: 0 })
      startNext()
    },
  }
}

const chosenFile = (file: File, id: string): DroppedFile => ({
  id,
  file,
  state: 'chosen',
  sentBytes: 0,
  fault: null,
})

type AttemptWatch = {
  readonly signal: AbortSignal
  readonly onChange: (changed: Partial<DroppedFile>) => void
}

/** Sends a file again after each lost connection, until it has arrived or is refused. */
async function sendUntilSettled(
  { send, isReadable, untilReachable, maxFileBytes }: DropQueueDependencies,
  queued: QueuedFile,
  { signal, onChange }: AttemptWatch,
): Promise<Exclude<SendResult, 'wait'>> {
  if (queued.file.size > maxFileBytes) return { fault: 'too-large' }
  for (let failures = 0; ; failures += 1) {
    if (!(await isReadable(queued.file))) return { fault: 'changed-meanwhile' }
    onChange({ state: 'sending', sentBytes: 0 })
    const onProgress = (sentBytes: number): void => onChange({ sentBytes })
    const result = await send(queued, { signal, onProgress })
    if (result !== 'wait') return result
    onChange({ state: 'reconnecting' })
    await untilReachable(failures, signal)
  }
}
