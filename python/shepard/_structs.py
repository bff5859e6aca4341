# SPDX-License-Identifier: MIT
# Made by python/tools/make_structs.py from include/shepard: edit the headers, and run it again.
"""The structs and constants of the C interface."""
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int,
                    c_size_t, c_ssize_t, c_uint64, c_void_p)
from enum import IntEnum

VERSION_MAJOR = 0
VERSION_MINOR = 2
VERSION_PATCH = 0
POINTS_MAX = 4000000000
COLUMNS_MAX = 4096
DEVICE_ALL = -1
SEGMENTS_MAX = 1000000000
KRIGING_POINTS_MAX = 4096
KRIGING_LEFT_OUT_MAX = 1024
SD_RESIDUALS_MIN = 20
COVARIATES_MAX = 256
NO_POINT = 2**32 - 1


class Status(IntEnum):
    """enum shepard_status"""
    OK = 0
    ERROR_ARGUMENT = 1
    ERROR_NO_POINTS = 2
    ERROR_AREA = 3
    ERROR_TOLERANCE = 4
    ERROR_SIZE = 5
    ERROR_MEMORY = 6
    ERROR_BACKEND = 7
    ERROR_CANCELLED = 8


class Type(IntEnum):
    """enum shepard_type"""
    FLOAT64 = 0
    FLOAT32 = 1


class MemoryKind(IntEnum):
    """enum shepard_memory_kind"""
    HOST = 0
    CUDA = 1


class Backend(IntEnum):
    """enum shepard_backend"""
    AUTO = 0
    REF = 1
    CPU = 2
    CUDA = 3


class Metric(IntEnum):
    """enum shepard_metric"""
    PLANE = 0
    SPHERE = 1
    SPACE = 2


class Method(IntEnum):
    """enum shepard_method"""
    IDW = 0
    AIDW = 1
    KRIGE = 2


class Precision(IntEnum):
    """enum shepard_precision"""
    SINGLE = 0
    DOUBLE = 1


class Expectation(IntEnum):
    """enum shepard_expectation"""
    AUTO = 0
    NN = 1
    KNN = 2


class Covariance(IntEnum):
    """enum shepard_covariance"""
    STABLE = 0
    EXPONENTIAL = 1
    SPHERICAL = 2
    MATERN32 = 3
    GAUSSIAN = 4
    LINEAR = 5


class KrigingKind(IntEnum):
    """enum shepard_kriging_kind"""
    ORDINARY = 0
    SIMPLE = 1
    UNIVERSAL = 2


class KrigingSd(IntEnum):
    """enum shepard_kriging_sd"""
    AUTO = 0
    MODEL = 1
    LOCAL = 2


class FitForm(IntEnum):
    """enum shepard_fit_form"""
    CONSTANT = 0
    FEW = 1
    LIKELIHOOD = 2


class TargetKind(IntEnum):
    """enum shepard_target_kind"""
    LIST = 0
    RASTER = 1
    WINDOW = 2
    LEAVE_ONE_OUT = 3


class ValidationKind(IntEnum):
    """enum shepard_validation_kind"""
    LEAVE_ONE_OUT = 0
    K_FOLD = 1
    BLOCKS = 2
    STARS = 3


class Error(Structure):
    """struct shepard_error"""
    _fields_ = [
        ("status", c_int),
        ("argument", c_char * 64),
        ("message", c_char * 400),
    ]


class Array(Structure):
    """struct shepard_array"""
    _fields_ = [
        ("data", c_void_p),
        ("type", c_int),
        ("stride", c_ssize_t),
    ]


class OutputArray(Structure):
    """struct shepard_output_array"""
    _fields_ = [
        ("data", c_void_p),
        ("type", c_int),
        ("stride", c_ssize_t),
    ]


class Memory(Structure):
    """struct shepard_memory"""
    _fields_ = [
        ("kind", c_int),
        ("stream", c_void_p),
    ]


class Coordinates(Structure):
    """struct shepard_coordinates"""
    _fields_ = [
        ("size", c_size_t),
        ("count", c_size_t),
        ("x", Array),
        ("y", Array),
        ("z", Array),
        ("memory", Memory),
    ]


class Values(Structure):
    """struct shepard_values"""
    _fields_ = [
        ("size", c_size_t),
        ("column_count", c_size_t),
        ("columns", POINTER(Array)),
        ("column_stride", c_ssize_t),
        ("weights", Array),
        ("memory", Memory),
    ]


class Allocator(Structure):
    """struct shepard_allocator"""
    _fields_ = [
        ("allocate", CFUNCTYPE(c_void_p, c_size_t, c_void_p)),
        ("release", CFUNCTYPE(None, c_void_p, c_void_p)),
        ("user", c_void_p),
    ]


class Barriers(Structure):
    """struct shepard_barriers"""
    _fields_ = [
        ("size", c_size_t),
        ("count", c_size_t),
        ("x", Array),
        ("y", Array),
    ]


class Whole(Structure):
    """struct shepard_whole"""
    _fields_ = [
        ("size", c_size_t),
        ("points", c_size_t),
        ("x_min", c_double),
        ("x_max", c_double),
        ("y_min", c_double),
        ("y_max", c_double),
        ("column_count", c_size_t),
        ("value_min", c_void_p),
        ("value_max", c_void_p),
        ("weight_max", c_double),
        ("place_x_min", c_double),
        ("place_x_max", c_double),
        ("place_y_min", c_double),
        ("place_y_max", c_double),
    ]


class PointsOptions(Structure):
    """struct shepard_points_options"""
    _fields_ = [
        ("size", c_size_t),
        ("metric", c_int),
        ("anisotropy_ratio", c_double),
        ("anisotropy_angle", c_double),
        ("backend", c_int),
        ("device", c_int),
        ("threads", c_int),
        ("memory_limit", c_size_t),
        ("expected_targets", c_size_t),
        ("expected_columns", c_size_t),
        ("expected_parameters", c_void_p),
        ("allocator", POINTER(Allocator)),
        ("barriers", POINTER(Barriers)),
        ("vertical_factor", c_double),
        ("sphere_radius", c_double),
        ("part_of", POINTER(Whole)),
    ]


class Neighbourhood(Structure):
    """struct shepard_neighbourhood"""
    _fields_ = [
        ("max_points", c_size_t),
        ("min_points", c_size_t),
        ("radius1", c_double),
        ("radius2", c_double),
        ("angle", c_double),
        ("sectors", c_int),
        ("max_points_per_sector", c_size_t),
        ("min_points_per_sector", c_size_t),
    ]


class Adaptive(Structure):
    """struct shepard_adaptive"""
    _fields_ = [
        ("k", c_size_t),
        ("powers", c_double * 5),
        ("r_min", c_double),
        ("r_max", c_double),
        ("area", c_double),
        ("expect", c_int),
    ]


class Kriging(Structure):
    """struct shepard_kriging"""
    _fields_ = [
        ("kind", c_int),
        ("mean", c_double),
        ("covariance", c_int),
        ("psill", c_double),
        ("range", c_double),
        ("nugget", c_double),
        ("p", c_double),
        ("sd", c_int),
    ]


class Parameters(Structure):
    """struct shepard_parameters"""
    _fields_ = [
        ("size", c_size_t),
        ("method", c_int),
        ("power", c_double),
        ("smoothing", c_double),
        ("degree", c_int),
        ("ridge", c_double),
        ("damping", c_double),
        ("neighbourhood", Neighbourhood),
        ("adaptive", Adaptive),
        ("eps", c_double),
        ("precision", c_int),
        ("nodata", c_double),
        ("kriging", Kriging),
    ]


class Timing(Structure):
    """struct shepard_timing"""
    _fields_ = [
        ("upload", c_double),
        ("sort", c_double),
        ("tree", c_double),
        ("moments", c_double),
        ("nearest", c_double),
        ("sums", c_double),
        ("download", c_double),
    ]


class PointsInfo(Structure):
    """struct shepard_points_info"""
    _fields_ = [
        ("size", c_size_t),
        ("points", c_size_t),
        ("skipped", c_size_t),
        ("x_min", c_double),
        ("x_max", c_double),
        ("y_min", c_double),
        ("y_max", c_double),
        ("area", c_double),
        ("bytes", c_size_t),
        ("device_bytes", c_size_t),
        ("threads", c_int),
        ("backend", c_char_p),
        ("isa", c_char_p),
        ("notice", c_char_p),
        ("timing", Timing),
        ("segments", c_size_t),
    ]


class FieldInfo(Structure):
    """struct shepard_field_info"""
    _fields_ = [
        ("size", c_size_t),
        ("column_count", c_size_t),
        ("searches", c_size_t),
        ("bytes", c_size_t),
        ("device_bytes", c_size_t),
        ("notice", c_char_p),
        ("timing", Timing),
    ]


class FitData(Structure):
    """struct shepard_fit_data"""
    _fields_ = [
        ("size", c_size_t),
        ("coordinates", POINTER(Coordinates)),
        ("values", POINTER(Values)),
        ("column", c_size_t),
        ("seed", c_uint64),
        ("covariates", c_void_p),
    ]


class FitInfo(Structure):
    """struct shepard_fit_info"""
    _fields_ = [
        ("size", c_size_t),
        ("form", c_int),
        ("fitted", c_bool),
        ("anisotropic", c_bool),
        ("points", c_size_t),
        ("clipped", c_size_t),
        ("evaluations", c_size_t),
        ("objective", c_double),
        ("mean", c_double),
        ("range_along", c_double),
        ("range_across", c_double),
        ("nugget_part", c_double),
        ("seconds", c_double),
    ]


class Raster(Structure):
    """struct shepard_raster"""
    _fields_ = [
        ("x0", c_double),
        ("y0", c_double),
        ("dx", c_double),
        ("dy", c_double),
        ("columns", c_size_t),
        ("rows", c_size_t),
    ]


class Window(Structure):
    """struct shepard_window"""
    _fields_ = [
        ("column", c_size_t),
        ("row", c_size_t),
        ("columns", c_size_t),
        ("rows", c_size_t),
    ]


class Targets(Structure):
    """struct shepard_targets"""
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("count", c_size_t),
        ("x", Array),
        ("y", Array),
        ("z", Array),
        ("raster", Raster),
        ("window", Window),
        ("indices", c_void_p),
        ("keep_coincident", c_bool),
        ("memory", Memory),
        ("star_radii", c_void_p),
        ("raster_z", c_double),
    ]


class SdFeature(Structure):
    """struct shepard_sd_feature"""
    _fields_ = [
        ("slope", c_double),
        ("offset", c_double),
        ("centre", c_double),
        ("low", c_double),
        ("high", c_double),
    ]


class SdModel(Structure):
    """struct shepard_sd_model"""
    _fields_ = [
        ("size", c_size_t),
        ("scale", c_double),
        ("intercept", c_double),
        ("nearest", SdFeature),
        ("deviation", SdFeature),
    ]


class SdResiduals(Structure):
    """struct shepard_sd_residuals"""
    _fields_ = [
        ("size", c_size_t),
        ("count", c_size_t),
        ("residuals", Array),
        ("nearest", Array),
        ("deviation", Array),
        ("allocator", POINTER(Allocator)),
    ]


class Output(Structure):
    """struct shepard_output"""
    _fields_ = [
        ("size", c_size_t),
        ("values", POINTER(OutputArray)),
        ("deviations", POINTER(OutputArray)),
        ("values_stride", c_ssize_t),
        ("deviations_stride", c_ssize_t),
        ("count", OutputArray),
        ("nearest", OutputArray),
        ("power", OutputArray),
        ("effective", OutputArray),
        ("sds", POINTER(OutputArray)),
        ("sds_stride", c_ssize_t),
        ("sd_models", POINTER(SdModel)),
        ("memory", Memory),
    ]


class Work(Structure):
    """struct shepard_work"""
    _fields_ = [
        ("pairs", c_double),
        ("nodes", c_double),
    ]


class Control(Structure):
    """struct shepard_control"""
    _fields_ = [
        ("size", c_size_t),
        ("progress", CFUNCTYPE(c_bool, c_double, c_void_p)),
        ("user", c_void_p),
        ("work", POINTER(Work)),
        ("notice", CFUNCTYPE(None, c_char_p, c_void_p)),
        ("timing", POINTER(Timing)),
    ]


class NearestOutput(Structure):
    """struct shepard_nearest_output"""
    _fields_ = [
        ("size", c_size_t),
        ("indices", c_void_p),
        ("distances", OutputArray),
        ("memory", Memory),
    ]


class Covariates(Structure):
    """struct shepard_covariates"""
    _fields_ = [
        ("size", c_size_t),
        ("count", c_size_t),
        ("columns", POINTER(Array)),
        ("column_stride", c_ssize_t),
        ("names", POINTER(c_char_p)),
    ]


class Trend(Structure):
    """struct shepard_trend"""
    _fields_ = [
        ("size", c_size_t),
        ("coefficients", c_void_p),
        ("standard_errors", c_void_p),
        ("rmse", c_void_p),
        ("rmse_without", c_void_p),
        ("used", c_void_p),
        ("residuals", POINTER(OutputArray)),
        ("residuals_stride", c_ssize_t),
    ]


class BackendInfo(Structure):
    """struct shepard_backend_info"""
    _fields_ = [
        ("backend", c_int),
        ("name", c_char_p),
        ("usable", c_bool),
        ("isa", c_char_p),
        ("reason", c_char_p),
    ]


class CudaInfo(Structure):
    """struct shepard_cuda_info"""
    _fields_ = [
        ("built", c_bool),
        ("runtime", c_int),
        ("driver", c_int),
        ("devices", c_size_t),
        ("reason", c_char_p),
    ]


class DeviceInfo(Structure):
    """struct shepard_device_info"""
    _fields_ = [
        ("name", c_char * 256),
        ("memory_bytes", c_size_t),
        ("major", c_int),
        ("minor", c_int),
        ("multiprocessors", c_int),
    ]


class Scores(Structure):
    """struct shepard_scores"""
    _fields_ = [
        ("count", c_size_t),
        ("missing", c_size_t),
        ("me", c_double),
        ("mae", c_double),
        ("rmse", c_double),
        ("sd_count", c_size_t),
        ("crps", c_double),
        ("coverage", c_double),
        ("interval", c_double),
    ]


class Validation(Structure):
    """struct shepard_validation"""
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("samples", c_size_t),
        ("folds", c_size_t),
        ("block_size", c_double),
        ("seed", c_uint64),
        ("targets", POINTER(Targets)),
    ]


class HoldoutInfo(Structure):
    """struct shepard_holdout_info"""
    _fields_ = [
        ("size", c_size_t),
        ("count", c_size_t),
        ("data", c_size_t),
        ("kind", c_int),
        ("folds", c_size_t),
        ("block_size", c_double),
        ("indices", c_void_p),
        ("observed", c_void_p),
        ("nearest", c_void_p),
        ("fold", c_void_p),
        ("held_out_nearest", c_double),
        ("target_nearest", c_double),
        ("representative", c_bool),
        ("notice", c_char_p),
    ]


class ValidationResult(Structure):
    """struct shepard_validation_result"""
    _fields_ = [
        ("size", c_size_t),
        ("values", c_void_p),
        ("sds", c_void_p),
        ("deviations", c_void_p),
        ("nearest", c_void_p),
        ("scores", Scores),
    ]


class Trial(Structure):
    """struct shepard_trial"""
    _fields_ = [
        ("number", c_size_t),
        ("text", c_char_p),
        ("status", c_int),
        ("message", c_char_p),
        ("scores", POINTER(Scores)),
        ("seconds", c_double),
        ("best", c_bool),
    ]


class Tuning(Structure):
    """struct shepard_tuning"""
    _fields_ = [
        ("size", c_size_t),
        ("seconds", c_double),
        ("candidates", POINTER(c_char_p)),
        ("candidate_count", c_size_t),
        ("power_min", c_double),
        ("power_max", c_double),
        ("points_min", c_size_t),
        ("points_max", c_size_t),
        ("trial", CFUNCTYPE(c_bool, POINTER(Trial), c_void_p)),
        ("user", c_void_p),
    ]


class TuningResult(Structure):
    """struct shepard_tuning_result"""
    _fields_ = [
        ("size", c_size_t),
        ("parameters", POINTER(Parameters)),
        ("options", POINTER(PointsOptions)),
        ("text", c_char * 512),
        ("trials", c_size_t),
        ("complete", c_bool),
        ("honest_rmse", c_double),
        ("sd_ratio", c_double),
        ("scores", Scores),
    ]


# Of each function what it returns and takes.
FUNCTIONS = {
    "shepard_version": (c_char_p, ()),
    "shepard_status_text": (c_char_p, (c_int, )),
    "shepard_points_options_init_sized": (None, (POINTER(PointsOptions), c_size_t, )),
    "shepard_points_create": (c_int, (POINTER(Coordinates), POINTER(PointsOptions), c_void_p, POINTER(Error), )),
    "shepard_points_free": (None, (c_void_p, )),
    "shepard_parameters_init_sized": (None, (POINTER(Parameters), c_size_t, )),
    "shepard_parameters_parse_sized": (c_int, (c_char_p, POINTER(Parameters), c_size_t, POINTER(PointsOptions), POINTER(Error), )),
    "shepard_parameters_print": (c_size_t, (POINTER(Parameters), POINTER(PointsOptions), c_char_p, c_char_p, c_size_t, )),
    "shepard_parameters_method": (c_char_p, (c_size_t, )),
    "shepard_nearest_name": (c_char_p, (c_char_p, POINTER(c_char_p), c_size_t, )),
    "shepard_field_create": (c_int, (c_void_p, POINTER(Values), c_void_p, POINTER(Error), )),
    "shepard_field_free": (None, (c_void_p, )),
    "shepard_points_get_info": (None, (c_void_p, POINTER(PointsInfo), )),
    "shepard_field_get_info": (None, (c_void_p, POINTER(FieldInfo), )),
    "shepard_field_search": (c_size_t, (c_void_p, c_size_t, )),
    "shepard_field_count": (c_size_t, (c_void_p, c_size_t, )),
    "shepard_fit": (c_int, (POINTER(FitData), POINTER(Parameters), POINTER(PointsOptions), POINTER(FitInfo), POINTER(Control), POINTER(Error), )),
    "shepard_sd_model_fit_sized": (c_int, (POINTER(SdResiduals), POINTER(SdModel), c_size_t, POINTER(Error), )),
    "shepard_predict": (c_int, (c_void_p, POINTER(Parameters), POINTER(Targets), POINTER(Output), POINTER(Control), POINTER(Error), )),
    "shepard_prepare": (c_int, (c_void_p, POINTER(Parameters), POINTER(Output), POINTER(Control), POINTER(Error), )),
    "shepard_nearest": (c_int, (c_void_p, POINTER(Targets), c_size_t, POINTER(NearestOutput), POINTER(Control), POINTER(Error), )),
    "shepard_trend_fit": (c_int, (c_void_p, POINTER(Values), POINTER(Covariates), POINTER(Parameters), POINTER(Trend), POINTER(Control), POINTER(Error), )),
    "shepard_backend_count": (c_size_t, ()),
    "shepard_backend_get_info_sized": (c_bool, (c_size_t, POINTER(BackendInfo), c_size_t, )),
    "shepard_cuda_get_info_sized": (None, (POINTER(CudaInfo), c_size_t, )),
    "shepard_device_get_info_sized": (c_bool, (c_size_t, POINTER(DeviceInfo), c_size_t, )),
    "shepard_scores_compute_sized": (None, (c_void_p, c_void_p, c_void_p, c_size_t, POINTER(Scores), c_size_t, )),
    "shepard_validation_init_sized": (None, (POINTER(Validation), c_size_t, )),
    "shepard_holdout_create": (c_int, (POINTER(Coordinates), POINTER(Values), POINTER(PointsOptions), POINTER(Validation), POINTER(Control), c_void_p, POINTER(Error), )),
    "shepard_holdout_free": (None, (c_void_p, )),
    "shepard_holdout_get_info": (None, (c_void_p, POINTER(HoldoutInfo), )),
    "shepard_holdout_validate": (c_int, (c_void_p, POINTER(Parameters), POINTER(PointsOptions), POINTER(ValidationResult), POINTER(Control), POINTER(Error), )),
    "shepard_tuning_init_sized": (None, (POINTER(Tuning), c_size_t, )),
    "shepard_tune": (c_int, (c_void_p, POINTER(Tuning), POINTER(TuningResult), POINTER(Control), POINTER(Error), )),
}
