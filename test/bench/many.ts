import type { Result } from './table.ts'
export async function benchMany(): Promise<readonly Result[]> {
  return []
}
