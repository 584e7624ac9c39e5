import { getPreview } from '../../shared/contract/previews.ts'
import { route, type Route } from '../http/route.ts'
import { showPreview, type Showing } from './show-preview.ts'

/** The call under `/api/preview`. */
export const previewRoutes = (showing: Showing): readonly Route[] => [
  route(getPreview, (asked) => showPreview(showing, asked)),
]
