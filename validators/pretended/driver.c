/* CUDA's driver library, which torch loads for one question: has device 0 a context? It has none.

   All other names are there because torch looks them up; they are errors. */
static const int not_supported = 801;

int cuInit(unsigned flags) { return 0; }
int cuDeviceGetCount(int *count) { *count = 1; return 0; }
int cuDeviceGet(int *device, int number) { *device = 0; return 0; }
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  *flags = 0;
  *active = 0;
  return 0;
}
int cuGetErrorString(int error, const char **to) { *to = "there is no GPU"; return 0; }

#define REFUSED(name) int name(void) { return not_supported; }
REFUSED(cuCtxGetCurrent)
REFUSED(cuCtxSetCurrent)
REFUSED(cuDeviceGetAttribute)
REFUSED(cuDeviceGetName)
REFUSED(cuDevicePrimaryCtxRetain)
REFUSED(cuDriverGetVersion)
REFUSED(cuFuncGetAttribute)
REFUSED(cuFuncSetAttribute)
REFUSED(cuFuncSetCacheConfig)
REFUSED(cuGetErrorName)
REFUSED(cuGetProcAddress)
REFUSED(cuGetProcAddress_v2)
REFUSED(cuLaunchCooperativeKernel)
REFUSED(cuLaunchKernel)
REFUSED(cuLaunchKernelEx)
REFUSED(cuLinkAddData_v2)
REFUSED(cuLinkComplete)
REFUSED(cuLinkCreate_v2)
REFUSED(cuModuleGetFunction)
REFUSED(cuModuleLoad)
REFUSED(cuModuleLoadData)
REFUSED(cuModuleLoadDataEx)
REFUSED(cuModuleUnload)
REFUSED(cuOccupancyMaxActiveBlocksPerMultiprocessor)
REFUSED(cuPointerGetAttribute)
REFUSED(cuStreamGetCtx)
REFUSED(cuTensorMapEncodeTiled)
