import { mustPass } from './scenarios/must-pass.ts'
import { troubleScenarios } from './scenarios/trouble.ts'

mustPass(troubleScenarios)
