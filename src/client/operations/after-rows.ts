import '../i18n/later-texts.ts'
import { pinFolder, unpinFolder } from '../state/saved-pins.ts'
import { copyLinks } from './copying/copy-links.ts'
import { reasonOf } from './reason.ts'
import { fillClipboard, startDuplicate, startPaste } from './start-transfer.ts'
import { upload } from './uploads.ts'

/** The operations that actions need only after the first rows. */
export const operationsParts = {
  copyLinks,
  fillClipboard,
  pinFolder,
  reasonOf,
  startDuplicate,
  startPaste,
  unpinFolder,
  upload,
}
