import '../../i18n/later-texts.ts'
import { shownOrderOf } from '../../listing/taken/shown-order.ts'
import { thumbnailOf } from '../../operations/thumbnails/thumbnail-address.ts'
import { ListingLayers } from './bars/listing-layers.tsx'
import { StatusDetails } from './bars/status-details.tsx'
import { FolderMenu } from './breadcrumb/folder-menu.tsx'
import { PathField } from './breadcrumb/path-field.tsx'
import { GoneFolder } from './gone-folder.tsx'
import { startLiveUpdates } from './open-folder/live-updates.ts'
import { followFolderViews, rememberView } from '../../state/device/saved-folder-views.ts'
import { FolderCover } from './covers/folder-cover.tsx'
import { sortBy } from './open-folder/preferences.ts'
import { reportMissingRows } from './open-folder/report-removed-rows.ts'
import { ViewPanel } from './view/view-panel.tsx'

followFolderViews()

/** The parts of the screen of the files that it needs only after its first rows. */
export const filesParts = {
  FolderCover,
  FolderMenu,
  GoneFolder,
  ListingLayers,
  PathField,
  StatusDetails,
  ViewPanel,
  rememberView,
  reportMissingRows,
  shownOrderOf,
  sortBy,
  startLiveUpdates,
  thumbnailOf,
}
