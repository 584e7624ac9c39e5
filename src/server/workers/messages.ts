import type { MessagePort } from 'node:worker_threads'
import type { ErrorCode, FailureOptions } from '../../shared/domain/failure.ts'

/**
 * A message from the main thread to a worker thread. `slot` identifies a job: it is the index of the job's state in the
 * shared array of job states.
 */
export type MessageToThread =
  | {
      readonly kind: 'run'
      readonly slot: number
      readonly task: string
      readonly input: unknown
      /**
       * The context of this task and of all following tasks. Without this field, the context of the previous task
       * applies.
       */
      readonly context?: unknown
    }
  | { readonly kind: 'response'; readonly slot: number; readonly value: unknown }
  | { readonly kind: 'request-failed'; readonly slot: number; readonly failure: SerializedError }
  | { readonly kind: 'more'; readonly slot: number }
  | { readonly kind: 'abort'; readonly slot: number }
  | { readonly kind: 'ping' }
  /** Makes the thread end. Sent only to threads without jobs. */
  | { readonly kind: 'end' }

/** A message from a worker thread to the main thread. */
export type MessageFromThread =
  | { readonly kind: 'done'; readonly slot: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly slot: number; readonly failure: SerializedError }
  | { readonly kind: 'skipped'; readonly slot: number }
  | { readonly kind: 'request'; readonly slot: number; readonly value: unknown }
  | { readonly kind: 'item'; readonly slot: number; readonly value: unknown }
  | { readonly kind: 'help'; readonly slot: number; readonly task: string; readonly input: unknown }

/**
 * An error in the form in which it is sent between threads. `code` is null for an error that is not an `AppError`,
 * which means a bug in the program.
 */
export type SerializedError = {
  readonly code: ErrorCode | null
  readonly message: string
  /** The details of an `AppError`. Empty for any other error. */
  readonly details: Omit<FailureOptions, 'cause'>
  readonly stack: string | undefined
}

/** The data that every thread receives when it starts. */
export type ThreadStartData = {
  /** The port for messages. The main thread sends arrays of messages, and the worker thread sends single messages. */
  readonly port: MessagePort
  /** One 32-bit state for each slot, with the values of `jobState`. */
  readonly jobStates: SharedArrayBuffer
  /** One 32-bit counter, which grows whenever the thread makes progress. It is 0 until the thread has started. */
  readonly heartbeat: SharedArrayBuffer
  /** True when the thread collects its garbage early. */
  readonly isMemorySmall: boolean
  /** The pool's data for the entry file, which `threadData` returns. */
  readonly data: unknown
}

/**
 * States of a job. The state is in memory that the main thread and the worker thread share. A job that is withdrawn
 * before it has started moves to another thread.
 */
export const jobState = { waiting: 0, running: 1, aborted: 2, withdrawn: 3 } as const

/**
 * Maximum number of waiting and running jobs of one thread. Each job occupies one slot, so a thread has this number of
 * slots.
 */
export const maxJobsPerThread = 4096

/** Maximum number of items that a task may send before the receiver takes the first item. */
export const maxItemsAhead = 8
