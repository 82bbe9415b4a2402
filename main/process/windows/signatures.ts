/** Library, result and parameters of one call. Handles are signed words, everything pointed to is a buffer. */
type Signature = readonly [library: string, result: string, parameters: readonly string[]];

const KERNEL = "kernel32.dll";
const NT = "ntdll.dll";
const HANDLE = "intptr_t";
const FLAG = "int";
const WORD = "uint32_t";
const POINTER = "void *";

/** Every call of Windows this room makes (toolchain §9, consequence 1); nothing else is asked. */
export const SIGNATURES = {
  GetLastError: [KERNEL, WORD, []],
  CloseHandle: [KERNEL, FLAG, [HANDLE]],
  // Identity
  OpenProcess: [KERNEL, HANDLE, [WORD, FLAG, WORD]],
  GetProcessId: [KERNEL, WORD, [HANDLE]],
  GetProcessTimes: [KERNEL, FLAG, [HANDLE, POINTER, POINTER, POINTER, POINTER]],
  GetExitCodeProcess: [KERNEL, FLAG, [HANDLE, POINTER]],
  QueryFullProcessImageNameW: [KERNEL, FLAG, [HANDLE, WORD, POINTER, POINTER]],
  NtQueryInformationProcess: [NT, "int32_t", [HANDLE, WORD, POINTER, WORD, POINTER]],
  NtQuerySystemInformation: [NT, "int32_t", [WORD, POINTER, WORD, POINTER]],
  ReadProcessMemory: [KERNEL, FLAG, [HANDLE, HANDLE, POINTER, "size_t", POINTER]],
  // The tree
  CreateJobObjectW: [KERNEL, HANDLE, [POINTER, POINTER]],
  OpenJobObjectW: [KERNEL, HANDLE, [WORD, FLAG, POINTER]],
  AssignProcessToJobObject: [KERNEL, FLAG, [HANDLE, HANDLE]],
  SetInformationJobObject: [KERNEL, FLAG, [HANDLE, WORD, POINTER, WORD]],
  QueryInformationJobObject: [KERNEL, FLAG, [HANDLE, WORD, POINTER, WORD, POINTER]],
  IsProcessInJob: [KERNEL, FLAG, [HANDLE, HANDLE, POINTER]],
  TerminateJobObject: [KERNEL, FLAG, [HANDLE, WORD]],
  TerminateProcess: [KERNEL, FLAG, [HANDLE, WORD]],
  DuplicateHandle: [KERNEL, FLAG, [HANDLE, HANDLE, HANDLE, POINTER, WORD, FLAG, WORD]],
  // Starting
  CreateFileW: [KERNEL, HANDLE, [POINTER, WORD, WORD, POINTER, WORD, WORD, HANDLE]],
  CreateProcessW: [
    KERNEL,
    FLAG,
    [POINTER, POINTER, POINTER, POINTER, FLAG, WORD, POINTER, POINTER, POINTER, POINTER],
  ],
  ResumeThread: [KERNEL, WORD, [HANDLE]],
  InitializeProcThreadAttributeList: [KERNEL, FLAG, [POINTER, WORD, WORD, POINTER]],
  UpdateProcThreadAttribute: [KERNEL, FLAG, [POINTER, WORD, "size_t", POINTER, "size_t", POINTER, POINTER]],
  DeleteProcThreadAttributeList: [KERNEL, FLAG, [POINTER]],
  // Waiting
  RegisterWaitForSingleObject: [KERNEL, FLAG, [POINTER, HANDLE, HANDLE, HANDLE, WORD, WORD]],
  UnregisterWait: [KERNEL, FLAG, [HANDLE]],
  // The console event, from a helper process only
  FreeConsole: [KERNEL, FLAG, []],
  AttachConsole: [KERNEL, FLAG, [WORD]],
  GenerateConsoleCtrlEvent: [KERNEL, FLAG, [WORD, WORD]],
} as const satisfies Readonly<Record<string, Signature>>;

export type SystemCall = keyof typeof SIGNATURES;
