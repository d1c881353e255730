import { mustPass } from './scenarios/must-pass.ts'
import { steadyScenarios } from './scenarios/steady.ts'

mustPass(steadyScenarios)
