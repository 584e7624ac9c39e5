import type { MainThreadLink } from './serve.ts'

/** A task as the code that starts it sees it: its input, its result, and the items that it sends before its result. */
export type TaskSignature = { readonly input: unknown; readonly result: unknown; readonly item: unknown }

/** The tasks of an entry file, by name. */
export type TaskSignatures = Readonly<Record<string, TaskSignature>>

/** The names of tasks. */
export type TaskNameOf<Signatures extends TaskSignatures> = keyof Signatures & string

/**
 * Derives the signatures of the tasks that an entry file passes to `serve`. An entry file exports this type of its tasks,
 * so that the compiler checks the names, inputs and results of the tasks that the main thread starts.
 */
export type SignaturesOf<Tasks> = {
  readonly [Name in keyof Tasks]: Tasks[Name] extends (input: infer Input, link: infer Link) => infer Result
    ? {
        readonly input: Input
        readonly result: Awaited<Result>
        readonly item: Link extends MainThreadLink<infer Item> ? Item : never
      }
    : never
}
