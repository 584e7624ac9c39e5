import '../../../i18n/later-texts.ts'
import { SelectedSize } from '../../../listing/grid/selected-size.tsx'
import { ViewChoices } from '../../../listing/view/view-choices.tsx'
import { SharedCover } from './shared-cover.tsx'
import { SharedDates, sharedOrderOf } from './shared-dates.tsx'
import { sharedThumbnailOf } from './shared-thumbnail.ts'

/** The parts of a shared folder that load after its first rows: its pictures, their order and their dates, and the choices of the views. */
export const sharedPictures = {
  SelectedSize,
  SharedCover,
  SharedDates,
  ViewChoices,
  sharedOrderOf,
  sharedThumbnailOf,
}
