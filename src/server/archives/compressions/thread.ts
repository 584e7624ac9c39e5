import { serve } from '../../workers/serve.ts'
import { bzip2Block } from './bzip2-block.ts'
import { snappyBlock } from './snappy-block.ts'

serve({ bzip2: bzip2Block, snappy: snappyBlock })
