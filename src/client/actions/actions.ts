import type { Action, ActionContext } from './action.ts'
import { clearSelection } from './selecting/clear-selection.ts'
import { compress } from './archiving/compress.ts'
import { copyToClipboard } from './copy-to-clipboard.ts'
import { copyAddress } from './copy-address.ts'
import { copy } from './copy.ts'
import { cut } from './cut.ts'
import { download } from './download.ts'
import { downloadAs } from './download-as.ts'
import { duplicate } from './duplicate.ts'
import { extract } from './archiving/extract.ts'
import { goToFile } from './go-to-file.ts'
import { help } from './help.ts'
import { invertSelection } from './selecting/invert-selection.ts'
import { move } from './move.ts'
import { newFile } from './adding/new-file.ts'
import { newFolder } from './adding/new-folder.ts'
import { open } from './opening/open.ts'
import { openInNewTab } from './opening/open-in-new-tab.ts'
import { quickLook } from './opening/quick-look.ts'
import { palette } from './palette.ts'
import { parentFolder } from './parent-folder.ts'
import { paste } from './paste.ts'
import { pin } from './pin.ts'
import { remove } from './remove.ts'
import { rename } from './rename.ts'
import { renameSeveral } from './rename-several.ts'
import { search } from './search.ts'
import { selectAll } from './selecting/select-all.ts'
import { selectMultiple } from './selecting/select-multiple.ts'
import { share } from './share.ts'
import { showInfo } from './show-info.ts'
import { showGallery, showList, showMosaic } from './show-view.ts'
import { reverseOrder, sortByModified, sortByName, sortBySize } from './sort-by.ts'
import { takePhoto } from './adding/take-photo.ts'
import { toggleShell } from './panels/toggle-shell.ts'
import { toggleSidebar } from './panels/toggle-sidebar.ts'
import { unpin } from './unpin.ts'
import { upload } from './adding/upload.ts'
import { uploadFiles } from './adding/upload-files.ts'
import { uploadFolder } from './adding/upload-folder.ts'

/** All actions. Those of the header and of the bar of the selection come first, in the order of the specification (2). */
export const actions: readonly Action[] = [
  share,
  copyAddress,
  rename,
  renameSeveral,
  copy,
  move,
  remove,
  toggleShell,
  download,
  downloadAs,
  extract,
  compress,
  upload,
  showInfo,
  selectMultiple,
  cut,
  copyToClipboard,
  paste,
  duplicate,
  newFolder,
  newFile,
  uploadFiles,
  uploadFolder,
  takePhoto,
  open,
  openInNewTab,
  quickLook,
  selectAll,
  clearSelection,
  invertSelection,
  parentFolder,
  sortByName,
  sortBySize,
  sortByModified,
  reverseOrder,
  showList,
  showMosaic,
  showGallery,
  toggleSidebar,
  palette,
  goToFile,
  pin,
  unpin,
  search,
  help,
]

/** Returns true while several entries are selected and another action for them takes the place of an action. */
export const isReplaced = ({ id }: Action, { selected }: Pick<ActionContext, 'selected'>): boolean =>
  selected.length > 1 && actions.some(({ severalOf }) => severalOf === id)
