import type { MessagePort } from 'node:worker_threads'
import type { ErrorCode } from '../../shared/domain/failure.ts'

/** What the main thread tells a worker thread. `slot` is the request's name, and the place of its mark in the shared marks. */
export type ToThread =
  | {
      readonly kind: 'run'
      readonly slot: number
      readonly task: string
      readonly input: unknown
      /** The context of this task and of those after it; without it that of the one before holds. */
      readonly context?: unknown
    }
  | { readonly kind: 'answer'; readonly slot: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly slot: number; readonly failure: SentFailure }
  | { readonly kind: 'more'; readonly slot: number }
  | { readonly kind: 'abort'; readonly slot: number }
  | { readonly kind: 'ping' }

/** What a worker thread tells the main one. */
export type FromThread =
  | { readonly kind: 'done'; readonly slot: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly slot: number; readonly failure: SentFailure }
  | { readonly kind: 'skipped'; readonly slot: number }
  | { readonly kind: 'question'; readonly slot: number; readonly value: unknown }
  | { readonly kind: 'item'; readonly slot: number; readonly value: unknown }
  | { readonly kind: 'help'; readonly slot: number; readonly task: string; readonly input: unknown }

/** An error on its way between threads: `code` is null where it is a fault of the program. */
export type SentFailure = {
  readonly code: ErrorCode | null
  readonly message: string
  readonly reason: string | undefined
  readonly stack: string | undefined
}

/** What every thread gets when it starts: the marks of its requests, where it shows that it lives, and the data of its entry. */
export type ThreadStart = {
  /** Takes what the main thread tells, many things at once, and tells it one thing after the other. */
  readonly port: MessagePort
  readonly marks: SharedArrayBuffer
  /** One number, which changes whenever the thread gets on with its work. 0 until it has started. */
  readonly beats: SharedArrayBuffer
  readonly data: unknown
}

/** What a request's mark says, to both threads at once. One that is withdrawn before it was begun is run by another thread. */
export const mark = { waiting: 0, running: 1, aborted: 2, withdrawn: 3 } as const

/** How many requests a thread can have under way. */
export const mostAtOnce = 4096

/** Items that a task may send before the first of them is taken. */
export const itemsAhead = 8
