import { FormatDialog } from './format-dialog.tsx'
import { ShareDetails } from './share-details.tsx'

/** The dialogs of the page of a share, which are loaded when a guest opens one of them. */
export const shareDialogs = { FormatDialog, ShareDetails }
