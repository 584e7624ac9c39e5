import type { Seat } from '../calls/calls.ts'
import { realPathOf } from '../calls/descriptors.ts'
import type { Question, Scene } from '../resolve.ts'

/** Has the journal know of a staged name, so that it does not outlive a crash; gives its path on disk. */
export async function noteStaged({ link }: Scene, { folder, name }: Seat): Promise<string> {
  const question: Question = { kind: 'staged', path: `${realPathOf(folder)}/${name}` }
  await link.ask(question)
  return question.path
}
