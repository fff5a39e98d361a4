// The tools of agents, in an order that stays the same.

import { applyChange } from './apply-change.ts'
import { describe, explainAccess } from './describe.ts'
import { proposeChange } from './propose-change.ts'
import { aggregate, query, searchDocuments } from './query.ts'
import { history, read, readDocument } from './read.ts'
import type { McpTool } from './tool.ts'

export const TOOLS: readonly McpTool[] = [
  describe,
  query,
  aggregate,
  read,
  searchDocuments,
  readDocument,
  history,
  explainAccess,
  proposeChange,
  applyChange,
]
