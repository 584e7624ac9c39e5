import { Type } from 'typebox'
import { maxModifiedMs, minModifiedMs } from '../domain/modified-limit.ts'
import type { HeaderDeclaration } from './endpoint.ts'

/** The request header with which a client keeps the modification time of a file that it uploads. */
export const modifiedHeader: HeaderDeclaration = {
  name: 'X-Modified-Ms',
  description:
    'The modification time of the file on the device, in ms since 1970. The uploaded file gets it; without the header, it gets the time of the upload',
  schema: Type.Integer({ minimum: minModifiedMs, maximum: maxModifiedMs }),
}
