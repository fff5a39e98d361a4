// The tools of agents, in an order that stays the same.
import type { McpTool } from './tool.ts'

export const TOOLS: readonly McpTool[] = []
