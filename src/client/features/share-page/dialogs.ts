import { FolderDetails } from './folder-details.tsx'
import { FormatDialog } from './format-dialog.tsx'

/** The dialogs of a shared folder, which are loaded when a guest opens one of them. */
export const folderDialogs = { FolderDetails, FormatDialog }
