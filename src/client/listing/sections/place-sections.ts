import type { DateGroup, GridGeometry, GridSection } from '../grid/geometry.ts'

export type GridGeometryInput = {
  readonly folders: number
  readonly total: number
  readonly columns: number
  readonly lineHeight: number
  /** The distance between two lines of folders. Without this value, folders are as high as files. */
  readonly folderLineHeight?: number
  /** The height of a section's heading in CSS pixels; 0 in a layout without headings. Only several sections have headings. */
  readonly headingHeight: number
  /** The room above the first line where no heading is, in CSS pixels. */
  readonly topPadding?: number
  /** The sections of the files. Each of them has a heading. Without groups, all files are one section. */
  readonly groups?: readonly DateGroup[]
}

/** Places the folders, and the files in one section or by date, below each other. */
export function geometryOf(facts: GridGeometryInput): GridGeometry {
  const { columns, total, lineHeight, folderLineHeight = lineHeight, topPadding = 0, groups = [] } = facts
  const folderCount = Math.min(facts.folders, total)
  const hasHeadings = groups.length > 0 || (folderCount > 0 && folderCount < total)
  const headingHeight = hasHeadings ? facts.headingHeight : 0
  const sections: GridSection[] = []
  let end = headingHeight > 0 ? 0 : topPadding
  let line = 0
  const add = (title: GridSection['title'], first: number, next: number): void => {
    const count = next - first
    const height = title === 'folders' ? folderLineHeight : lineHeight
    const top = end + headingHeight
    const headingTop = headingHeight > 0 ? end : null
    sections.push({ title, first, count, firstLine: line, top, headingTop, lineHeight: height })
    const lines = Math.ceil(count / columns)
    line += lines
    end = top + lines * height
  }
  if (folderCount > 0) add('folders', 0, folderCount)
  if (groups.length === 0 && (folderCount < total || total === 0)) add('files', folderCount, total)
  for (const [at, { first, timeMs }] of groups.entries()) add(timeMs, first, groups[at + 1]?.first ?? total)
  return {
    columns,
    sections: sections as unknown as GridGeometry['sections'],
    total,
    lineHeight,
    height: total === 0 ? 0 : end,
  }
}
