import { Type } from 'typebox'
import { maxModifiedMs, minModifiedMs } from '../domain/limits/modified-limit.ts'
import { lossHeader } from '../domain/losses.ts'
import type { HeaderDeclaration } from './endpoint.ts'

/** The request header with which a client keeps the modification time of a file that it uploads. */
export const modifiedHeader: HeaderDeclaration = {
  name: 'X-Modified-Ms',
  description:
    'The modification time of the file on the device, in ms since 1970. The uploaded file gets it; without the header, it gets the time of the upload',
  schema: Type.Integer({ minimum: minModifiedMs, maximum: maxModifiedMs }),
}

/** The response header that lists what a change left out or could not keep. */
export const lossHeaderDeclaration: HeaderDeclaration = {
  name: lossHeader,
  description:
    'What was left out or could not be kept: a JSON array of objects with `kind` (`unreadable`, `special`, `owner`, `attributes`, `other-names`), `count` and the first `paths`. Missing when nothing was lost',
}
