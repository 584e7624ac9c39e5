import { getPreview } from '../../shared/contract/previews.ts'
import { route, type Route } from '../http/route.ts'
import { showPreview, type PreviewOptions } from './show-preview.ts'

/** Returns the route of `/api/preview`. */
export const previewRoutes = (options: PreviewOptions): readonly Route[] => [
  route(getPreview, (request) => showPreview(options, request)),
]
