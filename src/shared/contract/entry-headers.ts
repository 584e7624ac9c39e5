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

/** The name of the header that contains a share's password, either unchanged or percent-encoded. */
export const sharePasswordHeader = 'x-share-password'

/** The declaration of that header. */
export const sharePasswordDeclaration: HeaderDeclaration = {
  name: 'X-SHARE-PASSWORD',
  description: 'The password of the share, percent-encoded or not',
}

/** The response headers with the terms of a share, which guests see. */
export const shareTermsHeaders: readonly HeaderDeclaration[] = [
  {
    name: 'X-Share-Expires',
    description: 'The end of the share in seconds since 1970, unless it is permanent',
  },
  {
    name: 'X-Share-Sender',
    description:
      'The name that the owner shows as the sender of the link, percent-encoded UTF-8. Missing for none',
  },
  {
    name: 'X-Share-Downloads-Left',
    description: 'The number of downloads that the share still allows. Missing when it has no limit',
  },
]

/** The header with the name that the guest has typed, percent-encoded. */
export const guestNameHeader: HeaderDeclaration = {
  name: 'X-Guest-Name',
  description: 'The name of the guest, percent-encoded UTF-8, at most 100 characters',
}

/** The header with the note that the guest has typed, percent-encoded. */
export const guestNoteHeader: HeaderDeclaration = {
  name: 'X-Guest-Note',
  description: 'A note to the owner of the share, percent-encoded UTF-8, at most 1000 characters',
}

/** The header by which a repeated upload is recognised. */
export const uploadIdHeader: HeaderDeclaration = {
  name: 'X-Upload-Id',
  description:
    'A random id of the upload: 16 to 64 letters, digits, `-` or `_`. An upload whose id has arrived before is confirmed and not stored again',
}
