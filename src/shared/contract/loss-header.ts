import { lossHeader } from '../domain/losses.ts'
import type { HeaderDeclaration } from './endpoint.ts'

/** The response header that lists what a change left out or could not keep. */
export const lossHeaderDeclaration: HeaderDeclaration = {
  name: lossHeader,
  description:
    'What was left out or could not be kept: a JSON array of objects with `kind` (`unreadable`, `special`, `owner`, `attributes`, `other-names`), `count` and the first `paths`. Missing when nothing was lost',
}
