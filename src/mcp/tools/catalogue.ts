// The tools of agents, in an order that stays the same.

import type { McpTool } from '../answers/tool.ts'
import { aggregate } from './aggregate.ts'
import { applyChange } from './apply-change.ts'
import { describe } from './describe.ts'
import { explainAccess } from './explain-access.ts'
import { history } from './history.ts'
import { proposeChange } from './propose-change.ts'
import { query } from './query.ts'
import { read } from './read.ts'
import { readDocument } from './read-document.ts'
import { searchDocuments } from './search-documents.ts'

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
