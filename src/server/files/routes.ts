import {
  createResource,
  getResource,
  listBelow,
  removeResource,
  saveResource,
  transferResource,
} from '../../shared/contract/resources.ts'
import { getUsage } from '../../shared/contract/usage.ts'
import { route, type Route } from '../http/route.ts'
import { below } from './below.ts'
import { create } from './create.ts'
import { remove } from './remove.ts'
import { save } from './save.ts'
import { show, type Showing } from './show.ts'
import { transfer } from './transfer.ts'
import { usage } from './usage.ts'

/** The calls under `/api/resources`, and `/api/usage`. */
export const fileRoutes = (showing: Showing): readonly Route[] => [
  route(getResource, (asked) => show(showing, asked)),
  route(listBelow, below),
  route(createResource, create),
  route(saveResource, save),
  route(transferResource, transfer),
  route(removeResource, remove),
  route(getUsage, usage),
]
