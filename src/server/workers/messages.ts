import type { ErrorCode } from '../../shared/domain/failure.ts'

/** What the main thread tells a worker thread. `slot` is the place of the request's mark in the shared marks. */
export type ToThread =
  | {
      readonly kind: 'run'
      readonly id: number
      readonly slot: number
      readonly task: string
      readonly input: unknown
    }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly failure: SentFailure }
  | { readonly kind: 'more'; readonly id: number }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'ping'; readonly id: number }

/** What a worker thread tells the main one. */
export type FromThread =
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: SentFailure }
  | { readonly kind: 'skipped'; readonly id: number; readonly slot: number }
  | { readonly kind: 'question'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'item'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'help'; readonly id: number; readonly task: string; readonly input: unknown }

/** An error on its way between threads: `code` is null where it is a fault of the program. */
export type SentFailure = {
  readonly code: ErrorCode | null
  readonly message: string
  readonly reason: string | undefined
  readonly stack: string | undefined
}

/** What every thread gets when it starts: the marks of its requests, where it shows that it lives, and the data of its entry. */
export type ThreadStart = {
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
