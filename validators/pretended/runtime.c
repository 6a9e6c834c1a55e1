/* A CUDA runtime that answers questions about one device and refuses to act.

   It is preloaded, so torch's own code asks it, C++ included. CASEBOOK_BOARD holds the facts of the
   device. What would act on a device (allocate, copy, launch, record, measure) is an error. */
#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER cudaError_t CUDARTAPI
#define QUIET(name, ...) ANSWER name(__VA_ARGS__) { return cudaSuccess; }
#define REFUSED(name, ...) ANSWER name(__VA_ARGS__) { return cudaErrorNotSupported; }

typedef struct {
  int arch, multiprocessors;
  size_t memory;
  int l2, shared_opt_in, shared, threads, bus_bits, blocks;
  char name[200];
} Board;

static const Board *board(void) {
  static Board it;
  if (it.arch) return &it;
  const char *told = getenv("CASEBOOK_BOARD");
  int read = !told ? 0 : sscanf(told, "%d %d %zu %d %d %d %d %d %d %199[^\n]", &it.arch,
      &it.multiprocessors, &it.memory, &it.l2, &it.shared_opt_in, &it.shared, &it.threads,
      &it.bus_bits, &it.blocks, it.name);
  if (read != 10) {
    fprintf(stderr, "CASEBOOK_BOARD names no board\n");
    abort();
  }
  return &it;
}

/* Questions. */

ANSWER cudaGetDeviceCount(int *count) { *count = 1; return cudaSuccess; }
ANSWER cudaGetDevice(int *device) { *device = 0; return cudaSuccess; }
ANSWER cudaDriverGetVersion(int *version) { return cudaRuntimeGetVersion(version); }

ANSWER cudaGetDeviceProperties(struct cudaDeviceProp *to, int device) {
  const Board *it = board();
  memset(to, 0, sizeof *to);
  strncpy(to->name, it->name, sizeof to->name - 1);
  to->major = it->arch / 10;
  to->minor = it->arch % 10;
  to->multiProcessorCount = it->multiprocessors;
  to->totalGlobalMem = it->memory;
  to->l2CacheSize = it->l2;
  to->memoryBusWidth = it->bus_bits;
  to->sharedMemPerBlock = 48 * 1024;
  to->sharedMemPerBlockOptin = it->shared_opt_in;
  to->sharedMemPerMultiprocessor = it->shared;
  to->reservedSharedMemPerBlock = 1024;
  to->maxThreadsPerMultiProcessor = it->threads;
  to->maxBlocksPerMultiProcessor = it->blocks;
  to->regsPerBlock = to->regsPerMultiprocessor = 65536;
  to->warpSize = 32;
  to->maxThreadsPerBlock = 1024;
  to->maxThreadsDim[0] = to->maxThreadsDim[1] = 1024;
  to->maxThreadsDim[2] = 64;
  to->maxGridSize[0] = 2147483647;
  to->maxGridSize[1] = to->maxGridSize[2] = 65535;
  to->totalConstMem = 65536;
  to->textureAlignment = 512;
  to->asyncEngineCount = 3;
  to->ECCEnabled = to->concurrentKernels = to->unifiedAddressing = to->managedMemory = 1;
  to->streamPrioritiesSupported = to->globalL1CacheSupported = to->localL1CacheSupported = 1;
  to->cooperativeLaunch = to->memoryPoolsSupported = 1;
  to->clusterLaunch = it->arch >= 90;
  return cudaSuccess;
}

ANSWER cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr asked, int device) {
  struct cudaDeviceProp it;
  cudaGetDeviceProperties(&it, device);
  switch (asked) {
    case cudaDevAttrMaxThreadsPerBlock: *value = it.maxThreadsPerBlock; break;
    case cudaDevAttrMultiProcessorCount: *value = it.multiProcessorCount; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = it.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = it.sharedMemPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = it.sharedMemPerBlockOptin; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = it.sharedMemPerMultiprocessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = it.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = it.minor; break;
    case cudaDevAttrWarpSize: *value = it.warpSize; break;
    case cudaDevAttrL2CacheSize: *value = it.l2CacheSize; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = it.memoryBusWidth; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = it.regsPerBlock; break;
    default: *value = 0;
  }
  return cudaSuccess;
}

ANSWER cudaDeviceGetPCIBusId(char *to, int size, int device) {
  snprintf(to, size, "0000:00:00.0");
  return cudaSuccess;
}
ANSWER cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return cudaSuccess;
}
ANSWER cudaDeviceCanAccessPeer(int *can, int one, int other) { *can = 0; return cudaSuccess; }
ANSWER cudaStreamGetPriority(cudaStream_t stream, int *to) { *to = 0; return cudaSuccess; }
ANSWER cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *to) {
  *to = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
QUIET(cudaGetLastError, void)
QUIET(cudaPeekAtLastError, void)

/* Handles: torch makes streams and events long before anything runs on them. */

static cudaError_t handle(void **to) {
  static uintptr_t next = 0x1000;
  *to = (void *)(next += 0x10);
  return cudaSuccess;
}
ANSWER cudaStreamCreate(cudaStream_t *to) { return handle((void **)to); }
ANSWER cudaStreamCreateWithFlags(cudaStream_t *to, unsigned flags) { return handle((void **)to); }
ANSWER cudaStreamCreateWithPriority(cudaStream_t *to, unsigned flags, int priority) {
  return handle((void **)to);
}
ANSWER cudaEventCreate(cudaEvent_t *to) { return handle((void **)to); }
ANSWER cudaEventCreateWithFlags(cudaEvent_t *to, unsigned flags) { return handle((void **)to); }
QUIET(cudaStreamDestroy, cudaStream_t it)
QUIET(cudaEventDestroy, cudaEvent_t it)

/* Waiting: nothing runs, so nothing has to be waited for. */

QUIET(cudaSetDevice, int device)
QUIET(cudaDeviceSynchronize, void)
QUIET(cudaStreamSynchronize, cudaStream_t it)
QUIET(cudaStreamQuery, cudaStream_t it)
QUIET(cudaStreamWaitEvent, cudaStream_t it, cudaEvent_t event, unsigned flags)
QUIET(cudaEventRecord, cudaEvent_t it, cudaStream_t stream)
QUIET(cudaEventRecordWithFlags, cudaEvent_t it, cudaStream_t stream, unsigned flags)
QUIET(cudaEventQuery, cudaEvent_t it)
QUIET(cudaEventSynchronize, cudaEvent_t it)
QUIET(cudaThreadExchangeStreamCaptureMode, enum cudaStreamCaptureMode *mode)
QUIET(cudaFree, void *memory)

/* Pinned memory is memory of the host. */

ANSWER cudaHostAlloc(void **to, size_t size, unsigned flags) {
  *to = malloc(size);
  return *to ? cudaSuccess : cudaErrorMemoryAllocation;
}
ANSWER cudaFreeHost(void *memory) { free(memory); return cudaSuccess; }

/* What acts. */

REFUSED(cudaMalloc, void **to, size_t size)
REFUSED(cudaMallocAsync, void **to, size_t size, cudaStream_t stream)
REFUSED(cudaMallocManaged, void **to, size_t size, unsigned flags)
REFUSED(cudaMemGetInfo, size_t *free, size_t *total)
REFUSED(cudaMemcpy, void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
REFUSED(cudaMemcpyAsync, void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
        cudaStream_t stream)
REFUSED(cudaMemset, void *to, int value, size_t size)
REFUSED(cudaMemsetAsync, void *to, int value, size_t size, cudaStream_t stream)
REFUSED(cudaLaunchKernel, const void *it, dim3 grid, dim3 block, void **arguments, size_t shared,
        cudaStream_t stream)
REFUSED(cudaLaunchKernelExC, const cudaLaunchConfig_t *how, const void *it, void **arguments)
REFUSED(cudaFuncGetAttributes, struct cudaFuncAttributes *to, const void *it)
REFUSED(cudaEventElapsedTime, float *to, cudaEvent_t begin, cudaEvent_t end)
REFUSED(cudaStreamBeginCapture, cudaStream_t it, enum cudaStreamCaptureMode mode)
REFUSED(cudaStreamEndCapture, cudaStream_t it, cudaGraph_t *to)
REFUSED(cudaGraphInstantiate, cudaGraphExec_t *to, cudaGraph_t it, unsigned long long flags)
REFUSED(cudaGraphLaunch, cudaGraphExec_t it, cudaStream_t stream)
