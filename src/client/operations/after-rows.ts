import '../i18n/later-texts.ts'
import { pinFolder, unpinFolder } from '../state/saved-pins.ts'
import { copyAddresses } from './copying/copy-addresses.ts'
import { downloadEntries } from './download-archive.ts'
import { reasonOf } from './reason.ts'
import { fillClipboard, startDuplicate, startPaste } from './start-transfer.ts'
import { upload } from './uploads.ts'

/** The operations that actions need only after the first rows. */
export const operationsParts = {
  copyAddresses,
  downloadEntries,
  fillClipboard,
  pinFolder,
  reasonOf,
  startDuplicate,
  startPaste,
  unpinFolder,
  upload,
}
